import { Controller, Get, Header } from '@nestjs/common';
import { PROTOCOL } from '../protocol/transport.js';
import type { PublicJwk } from '../signing/protocol-keys.js';
import { OwnKeys } from './own-keys.js';

/** Where lenders find the keys that check what the service has signed. */
@Controller()
export class OwnKeysController {
  constructor(private readonly keys: OwnKeys) {}

  @Get(PROTOCOL.keysPath)
  @Header('Cache-Control', 'public, max-age=60')
  jwks(): Promise<{ keys: readonly PublicJwk[] }> {
    return this.keys.jwks();
  }
}
