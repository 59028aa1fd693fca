/**
 * What a piece of work comes to, or what `late` answers or throws when it takes longer than so many
 * milliseconds. The work itself goes on: whatever can be cut off has a deadline of its own.
 */
export async function within<Result, Late>(
  ms: number,
  work: Promise<Result>,
  late: () => Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([work, deadline.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
