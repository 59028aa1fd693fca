type Work = () => unknown;

let works: Work[] = [];

/** Has something done after the last hook of the spec file that runs now; what was set up last is undone first. */
export function afterThisFile(work: Work): void {
  works.push(work);
}

export async function finishFile(): Promise<void> {
  const due = works;
  works = [];
  for (const work of due.toReversed()) await work();
}
