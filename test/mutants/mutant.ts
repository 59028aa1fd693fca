/** A rule of the system, and how a copy of the code is made that breaks it. */
export interface Mutant {
  /** In kebab case, and unique in the whole list. */
  readonly id: string;
  /** The rule as it should hold, in words. */
  readonly rule: string;
  /** From the project's root. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Spec files of which at least one must fail. */
  readonly specs: readonly string[];
  /** A regular expression over the titles (Vitest's `-t`), where the whole of the specs would be slow. */
  readonly only?: string;
  /** Why no test can notice it; the run fails when one does all the same. */
  readonly equivalent?: string;
}

/** @throws Error when the list no longer fits the file */
export function broken(text: string, { id, file, find, replace }: Mutant): string {
  const pieces = text.split(find);
  if (find !== '' && pieces.length === 2) return pieces.join(replace);
  throw new Error(`${id}: its text stands ${pieces.length - 1} times in ${file}, not once`);
}
