type Work = () => unknown;

let works: Work[] = [];

/** Runs work after the last hook of the current spec file, in reverse order of registration. */
export function afterThisFile(work: Work): void {
  works.push(work);
}

export async function finishFile(): Promise<void> {
  const due = works;
  works = [];
  const errors: unknown[] = [];
  // After an error the others still run, because the next file uses the same service.
  for (const work of due.toReversed()) {
    try {
      await work();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
