/** The address whose page has the most HTML. Pages of one kind share their style and fonts. */
export async function longestOf(baseUrl: string, paths: readonly string[]): Promise<string> {
  const sizes = paths.map(async (path) => {
    const { length } = await (await fetch(baseUrl + path)).text();
    return { path, length };
  });
  const [longest] = (await Promise.all(sizes)).toSorted((one, other) => other.length - one.length);
  return longest.path;
}
