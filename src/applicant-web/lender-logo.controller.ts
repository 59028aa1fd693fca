import { Controller, Get, Param, Query } from '@nestjs/common';
import { AnswersWithScreens, Fault, PageFile } from '../platform/index.js';
import { LenderLogosRepository } from '../settings/index.js';

const CODE = /^[a-z][a-z0-9-]{1,59}$/;
const FOR_EVER = 'public, max-age=31536000, immutable';
// An offer made before the logo changed asks for the earlier version.
const FOR_A_WHILE = 'public, max-age=60';

/** Serves the current logo, whatever version is requested. */
@Controller('assets/lender')
@AnswersWithScreens()
export class LenderLogoController {
  constructor(private readonly logos: LenderLogosRepository) {}

  @Get(':code')
  async show(@Param('code') code: string, @Query('v') version?: string): Promise<PageFile> {
    const logo = CODE.test(code) ? await this.logos.find(code) : null;
    if (!logo) throw new Fault('route_not_found');
    const headers = {
      'Content-Type': 'image/png',
      'Cache-Control': version === logo.version ? FOR_EVER : FOR_A_WHILE,
      'Content-Security-Policy': "default-src 'none'; sandbox",
    };
    return new PageFile(headers, logo.bytes);
  }
}
