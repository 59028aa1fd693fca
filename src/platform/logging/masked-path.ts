import { hasIdentityWord } from '../validation/identity-words.js';

const LONGEST_ID = 40;

/**
 * The path of a request without its query, link tokens (which open what they name) and segments with a PAN
 * or a mobile number.
 */
export function maskedPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path.split('/').map(maskedSegment).join('/');
}

function maskedSegment(segment: string): string {
  if (segment.length > LONGEST_ID) return ':token';
  return hasIdentityWord(decoded(segment)) ? ':masked' : segment;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
