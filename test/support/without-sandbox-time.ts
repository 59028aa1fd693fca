/** A page without the line that says what time a sandbox was moved to: it changes each minute. */
export function withoutSandboxTime(page: string): string {
  return page.replace(/<p class="sandbox-time">[^<]*<\/p>/, '');
}
