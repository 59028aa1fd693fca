import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { PagePartners } from '../../auth/index.js';
import { JourneyKeyFacts } from '../../journeys/index.js';
import {
  AnswersWithScreens,
  Fault,
  nameOnPages,
  type Page,
  type PageFile,
} from '../../platform/index.js';
import { KeyFactsScreens, type ShownKeyFacts } from './key-facts-screens.js';

@Controller('kfs')
@AnswersWithScreens()
export class KeyFactsController {
  constructor(
    private readonly keyFacts: JourneyKeyFacts,
    private readonly screens: KeyFactsScreens,
    private readonly partners: PagePartners,
  ) {}

  @Get(':token.pdf')
  async pdf(@Param('token') token: string, @Req() request: Request): Promise<PageFile> {
    return this.screens.pdf(request, await this.read(token));
  }

  @Get(':token')
  async page(@Param('token') token: string, @Req() request: Request): Promise<Page> {
    const shown = await this.read(token);
    nameOnPages(request, () => this.partners.of(shown.owner.partnerId));
    return this.screens.page(request, shown);
  }

  private async read(token: string): Promise<ShownKeyFacts> {
    const linked = await this.keyFacts.readLink(token);
    if (!linked) throw new Fault('link_not_found');
    return { ...linked, pdfPath: `/kfs/${token}.pdf` };
  }
}
