const SHOWN = 4;

/** `••••9012`: the end of an account number, however long the number is. */
export function shortAccount(maskedNumber: string): string {
  return `${'•'.repeat(SHOWN)}${maskedNumber.slice(-SHOWN)}`;
}
