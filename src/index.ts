/**
 * The door: what an application needs to govern its tool calls.
 *
 * @since 0.1.0
 */
export * as Conversation from "./conversation/Conversation.ts"
export type { CallContext, PermissionMode } from "./domain/CallContext.ts"
export type { CallEvent } from "./domain/CallEvent.ts"
export type { ConversationEvent } from "./domain/ConversationEvent.ts"
export type { Decision } from "./domain/Decision.ts"
export type { OwnHook, OwnHookAnswer, OwnHookCall } from "./domain/OwnHook.ts"
export type { Answer, Question } from "./domain/Question.ts"
export * as Tool from "./domain/Tool.ts"
export * as ToolResult from "./domain/ToolResult.ts"
export { ToolUse } from "./domain/ToolUse.ts"
export { layer as layerPipeline, Pipeline, type RunOptions } from "./pipeline.ts"
export { Approver } from "./services/Approver.ts"
export { ChatModel } from "./services/ChatModel.ts"
export { Classifier } from "./services/Classifier.ts"
export { layer, type Options } from "./toolgate.ts"
