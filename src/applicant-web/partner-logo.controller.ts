import { Controller, Get, Param } from '@nestjs/common';
import { PartnerLogosRepository } from '../auth/index.js';
import { AnswersWithScreens, Fault, PageFile } from '../platform/index.js';

const VERSION = /^[0-9a-f]{64}$/;

/** The address is a hash of the bytes: it names no partner and never changes. */
@Controller('partner-logos')
@AnswersWithScreens()
export class PartnerLogoController {
  constructor(private readonly logos: PartnerLogosRepository) {}

  @Get(':version')
  async show(@Param('version') version: string): Promise<PageFile> {
    const png = VERSION.test(version) ? await this.logos.find(version) : null;
    if (!png) throw new Fault('route_not_found');
    const headers = {
      'Content-Type': 'image/png',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    };
    return new PageFile(headers, png);
  }
}
