const numbers = new Intl.NumberFormat('en-IN');

export function grouped(number: number): string {
  return numbers.format(number);
}

/** `1 attempt`, `3 attempts`. */
export function counted(count: number, one: string, more: string): string {
  return `${grouped(count)} ${count === 1 ? one : more}`;
}
