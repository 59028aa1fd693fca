/** The result of `work`, or of `late` after `ms`. The work itself continues. */
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
