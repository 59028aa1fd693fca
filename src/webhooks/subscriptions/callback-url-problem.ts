import { refusedHost } from '../../platform/index.js';

const MAX_CHARACTERS = 2_048;
// The URL parser drops some of these without a word; what is stored is what was meant.
const BLANK_OR_CONTROL = /[\s\p{Cc}]/u;

/**
 * What is wrong with a callback address, as a sentence for `details`; null when nothing is. Names
 * are not looked up here: they are checked whenever they are connected to.
 * @param isLoopback whether the service runs on a developer's machine: http and loopback targets
 *   are allowed then
 */
export function callbackUrlProblem(text: unknown, isLoopback: boolean): string | null {
  if (typeof text !== 'string' || text === '') return 'must be an https address';
  if (text.length > MAX_CHARACTERS) return `must be at most ${MAX_CHARACTERS} characters`;
  if (BLANK_OR_CONTROL.test(text)) return 'must not contain blanks or control characters';
  const url = URL.parse(text);
  if (!url || !isAllowedScheme(url, isLoopback)) {
    return isLoopback ? 'must be an http or https address' : 'must be an https address';
  }
  if (url.username || url.password) return 'must not contain credentials';
  if (text.includes('#')) return 'must not contain a fragment';
  const isRefused = refusedHost(url.hostname, { allowLoopback: isLoopback });
  return isRefused ? 'must not be a private address' : null;
}

function isAllowedScheme(url: URL, isLoopback: boolean): boolean {
  return url.protocol === 'https:' || (isLoopback && url.protocol === 'http:');
}
