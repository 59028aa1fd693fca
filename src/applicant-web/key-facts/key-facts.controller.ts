import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { InstantKeyFacts } from '../../instant-loans/index.js';
import { JourneyKeyFacts } from '../../journeys/index.js';
import { Fault } from '../../platform/index.js';
import { KeyFactsScreens, type ShownKeyFacts } from './key-facts-screens.js';

/** The Key Facts Statement of an offer, or of an instant loan, for whoever was given its link. */
@Controller('kfs')
export class KeyFactsController {
  constructor(
    private readonly keyFacts: JourneyKeyFacts,
    private readonly instantKeyFacts: InstantKeyFacts,
    private readonly screens: KeyFactsScreens,
  ) {}

  @Get(':token.pdf')
  async pdf(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.screens.pdf(request, response, await this.read(token));
  }

  @Get(':token')
  async page(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.screens.page(request, response, await this.read(token));
  }

  private async read(token: string): Promise<ShownKeyFacts> {
    const linked =
      (await this.keyFacts.readLink(token)) ?? (await this.instantKeyFacts.readLink(token));
    if (!linked) throw new Fault('link_not_found');
    return { ...linked, pdfPath: `/kfs/${token}.pdf` };
  }
}
