/**
 * The page that a browser shows at the end of a sign-in.
 *
 * @since 0.1.0
 */

/**
 * Makes the page: plain HTML that loads nothing and runs nothing.
 *
 * @category formatting
 * @since 0.1.0
 */
export const page = (
  { good, problem, title }: { readonly good: boolean; readonly title: string; readonly problem?: string }
): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>
:root { color-scheme: light dark }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1rem/1.5 system-ui, sans-serif;
  background: light-dark(#f4f5f7, #16181d); color: light-dark(#1c1f26, #e8eaed) }
main { margin: 1rem; padding: 2.5rem 3rem; max-width: 30rem; text-align: center; border-radius: 1rem;
  background: light-dark(#fff, #21252c); box-shadow: 0 1px 3px #0003, 0 8px 32px #0002 }
.mark { display: grid; place-items: center; width: 3.5rem; height: 3.5rem; margin: 0 auto 1.25rem; border-radius: 50%;
  font-size: 1.75rem; color: #fff; background: ${good ? "#1a7f4b" : "#b3372f"} }
h1 { margin: 0 0 .5rem; font-size: 1.35rem; overflow-wrap: anywhere }
p { margin: .25rem 0; overflow-wrap: anywhere; color: light-dark(#565c68, #a6adba) }
</style>
</head>
<body>
<main>
<div class="mark" aria-hidden="true">${good ? "&#10003;" : "&#10005;"}</div>
<h1>${escaped(title)}</h1>
<p>${problem === undefined ? "" : `${escaped(sentence(problem))}<br>`}You can close this page.</p>
</main>
</body>
</html>
`

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1).replaceAll("`", "")}.`

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
