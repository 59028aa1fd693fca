const LONGEST_ID = 40;

/** The path of a request without its query and without link tokens, which open what they name. */
export function maskedPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path
    .split('/')
    .map((segment) => (segment.length > LONGEST_ID ? ':token' : segment))
    .join('/');
}
