/** A page without the line with the sandbox's moved time, which changes each minute. */
export function withoutSandboxTime(page: string): string {
  return page.replace(/<p class="sandbox-time">[^<]*<\/p>/, '');
}
