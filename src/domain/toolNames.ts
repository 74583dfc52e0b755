/**
 * The names that built-in tools go by, and went by.
 *
 * @since 0.1.0
 */
import { mcpNameOf } from "./mcpNames.ts"

/**
 * The canonical names of the tools that rules may speak of, whether or not a
 * given application registers them.
 *
 * @category constants
 * @since 0.1.0
 */
export const toolNames: ReadonlySet<string> = new Set([
  "Agent",
  "Artifact",
  "AskUserQuestion",
  "Bash",
  "Cd",
  "CronCreate",
  "CronDelete",
  "CronList",
  "Edit",
  "EndConversation",
  "EnterPlanMode",
  "EnterWorktree",
  "ExitPlanMode",
  "ExitWorktree",
  "Glob",
  "Grep",
  "LSP",
  "ListAgents",
  "ListMcpResourcesTool",
  "Monitor",
  "NotebookEdit",
  "PowerShell",
  "Projects",
  "PushNotification",
  "REPL",
  "Read",
  "ReadMcpResourceTool",
  "RemoteTrigger",
  "ReportFindings",
  "ScheduleWakeup",
  "SendMessage",
  "SendUserFile",
  "ShareOnboardingGuide",
  "Skill",
  "TaskCreate",
  "TaskGet",
  "TaskList",
  "TaskOutput",
  "TaskStop",
  "TaskUpdate",
  "TodoWrite",
  "ToolSearch",
  "WaitForMcpServers",
  "WebFetch",
  "WebSearch",
  "Workflow",
  "Write"
])

/**
 * Names of old, each with the canonical name of the tool that bears it today.
 *
 * @category constants
 * @since 0.1.0
 */
export const toolAliases: ReadonlyMap<string, string> = new Map([
  ["AgentOutputTool", "TaskOutput"],
  ["BashOutput", "TaskOutput"],
  ["KillShell", "TaskStop"],
  ["MCPSearch", "ToolSearch"],
  ["SlashCommand", "Skill"],
  ["Task", "Agent"]
])

/**
 * Names of tools that are gone, each with the tool that does their work now.
 * The two are not the same tool: a rule for the one says nothing of the other.
 *
 * @category constants
 * @since 0.1.0
 */
export const goneTools: ReadonlyMap<string, string> = new Map([
  ["LS", "Read"],
  ["MultiEdit", "Edit"],
  ["NotebookRead", "Read"],
  ["TodoRead", "TodoWrite"]
])

/**
 * Returns the name by which rules and hooks know a tool.
 *
 * @category getters
 * @since 0.1.0
 */
export const canonicalName = (name: string): string =>
  name.startsWith("mcp__") ? mcpNameOf(name) : toolAliases.get(name) ?? name
