const SHOWN = 4;

/** `••••9012`, whatever the number's length. */
export function shortAccount(maskedNumber: string): string {
  return `${'•'.repeat(SHOWN)}${maskedNumber.slice(-SHOWN)}`;
}
