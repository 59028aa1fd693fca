import type { Request, Response } from 'express';
import type { Asset, Encoding } from './assets.js';

const FOR_EVER = 'public, max-age=31536000, immutable';
// A page of the release before or after this one asks for a version that is not here.
const FOR_A_WHILE = 'public, max-age=60';
const TEXT = /^text\/|svg|json/;

/**
 * Sends an asset, compressed as the browser takes it; kept forever when its version was named. Its tag
 * is strong, so whoever has these very bytes already is sent none.
 */
export async function sendAsset(request: Request, response: Response, asset: Asset): Promise<void> {
  const isText = TEXT.test(asset.contentType);
  const encoding = isText ? encodingOf(request) : 'identity';
  const isNamed = request.query.v === asset.version;
  response.setHeader('Cache-Control', isNamed ? FOR_EVER : FOR_A_WHILE);
  response.setHeader('Content-Type', asset.contentType);
  response.setHeader('ETag', `"${asset.version}.${encoding}"`);
  if (isText) response.setHeader('Vary', 'Accept-Encoding');
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.send(await asset.encoded(encoding));
}

function encodingOf(request: Request): Encoding {
  // Asked one by one: browsers name gzip first, and brotli is smaller.
  if (request.acceptsEncodings('br') === 'br') return 'br';
  return request.acceptsEncodings('gzip') === 'gzip' ? 'gzip' : 'identity';
}
