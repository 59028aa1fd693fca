type Work = () => unknown;

let works: Work[] = [];

/** Has something done after the last hook of the spec file that runs now; what was set up last is undone first. */
export function afterThisFile(work: Work): void {
  works.push(work);
}

export async function finishFile(): Promise<void> {
  const due = works;
  works = [];
  const errors: unknown[] = [];
  // One that fails leaves the others to be done: the next file has the same service.
  for (const work of due.toReversed()) {
    try {
      await work();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
