/** The fields that were given, as a plain object: what a lender is told, and what is sealed. */
export function givenFields(details: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}
