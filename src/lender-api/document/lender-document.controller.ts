import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  type Asset,
  ENVIRONMENT,
  type Environment,
  keptAsset,
  sendAsset,
} from '../../platform/index.js';
import { type Brand, ServiceSettings } from '../../settings/index.js';
import { lenderDocument } from './lender-document.js';

@Controller('lender-api')
export class LenderDocumentController {
  private kept?: { readonly brand: Brand; readonly asset: Asset };

  constructor(
    private readonly settings: ServiceSettings,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  @Get('openapi.json')
  async read(@Req() request: Request, @Res() response: Response): Promise<void> {
    await sendAsset(request, response, await this.asset());
  }

  /** Built once: no key is needed to request it. */
  private async asset(): Promise<Asset> {
    const brand = await this.settings.brand();
    if (this.kept?.brand !== brand) {
      const bytes = Buffer.from(JSON.stringify(lenderDocument(brand, this.environment.baseUrl)));
      this.kept = { brand, asset: keptAsset('application/json; charset=utf-8', bytes) };
    }
    return this.kept.asset;
  }
}
