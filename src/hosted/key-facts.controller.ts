import { Controller, Get, Param, Render } from '@nestjs/common';
import { KeyFactsBook } from '../journeys/index.js';
import { keyFactsPage, type KeyFactsPageView } from '../loans/index.js';
import { Fault } from '../platform/index.js';

/** The Key Facts Statement, for whoever was given its link; printable. */
@Controller('kfs')
export class KeyFactsController {
  constructor(private readonly keyFacts: KeyFactsBook) {}

  @Get(':token')
  @Render('key-facts-statement')
  async show(@Param('token') token: string): Promise<KeyFactsPageView> {
    const statement = await this.keyFacts.readLink(token);
    if (!statement) throw new Fault('link_not_found');
    // Under the name that stands in it: what was agreed is shown as it was, for ever.
    return keyFactsPage(statement, { brandDisplayName: statement.lspName });
  }
}
