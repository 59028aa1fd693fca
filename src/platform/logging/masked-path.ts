import { hasIdentityWord } from '../validation/identity-words.js';

const LONGEST_ID = 40;

/** A path without query, link tokens, and segments with a PAN or mobile number. */
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
