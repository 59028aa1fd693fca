import { Controller, Get, Param, Query } from '@nestjs/common';
import { PartnerLogosRepository } from '../auth/index.js';
import { AnswersWithScreens, Fault, PageFile } from '../platform/index.js';
import { LenderLogosRepository } from '../settings/index.js';

const LENDER_CODE = /^[a-z][a-z0-9-]{1,59}$/;
const PARTNER_VERSION = /^[0-9a-f]{64}$/;
const FOR_EVER = 'public, max-age=31536000, immutable';
// An offer made before the logo changed asks for the earlier version.
const CACHE_ONE_MINUTE = 'public, max-age=60';

@Controller()
@AnswersWithScreens()
export class LogosController {
  constructor(
    private readonly lenders: LenderLogosRepository,
    private readonly partners: PartnerLogosRepository,
  ) {}

  /** Serves the current logo, whatever version is requested. */
  @Get('assets/lender/:code')
  async ofLender(@Param('code') code: string, @Query('v') version?: string): Promise<PageFile> {
    const logo = LENDER_CODE.test(code) ? await this.lenders.find(code) : null;
    if (!logo) throw new Fault('route_not_found');
    return pngFile(logo.bytes, version === logo.version ? FOR_EVER : CACHE_ONE_MINUTE);
  }

  /** The address is a hash of the bytes: it names no partner and never changes. */
  @Get('partner-logos/:version')
  async ofPartner(@Param('version') version: string): Promise<PageFile> {
    const png = PARTNER_VERSION.test(version) ? await this.partners.find(version) : null;
    if (!png) throw new Fault('route_not_found');
    return pngFile(png, FOR_EVER);
  }
}

function pngFile(bytes: Buffer, cacheControl: string): PageFile {
  const headers = {
    'Content-Type': 'image/png',
    'Cache-Control': cacheControl,
    'Content-Security-Policy': "default-src 'none'; sandbox",
  };
  return new PageFile(headers, bytes);
}
