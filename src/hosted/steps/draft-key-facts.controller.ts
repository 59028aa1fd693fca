import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Detour } from '../entry/detour.js';
import { HostedSession, type HostedSessionValue, SignedIn } from '../entry/signed-in.js';
import { KeyFactsScreens } from '../key-facts/key-facts-screens.js';
import { amountIn, confirmPath, draftPath, issueTimeIn } from './chosen-amount.js';
import { offerPath } from './compared-offers.js';
import { OfferDesk } from './offer-desk.js';

type Kind = 'page' | 'pdf';

interface DraftParameters {
  readonly offerId: string;
  /** In rupees. */
  readonly amount: string;
  /** When the statement was drawn, in milliseconds since 1970. */
  readonly issued: string;
}

/**
 * The whole statement that the page of confirmation sums up: for the chosen amount, and drawn at
 * the same moment, so that it is the one whose hash stands in the form.
 */
@Controller('hosted/offers/:offerId/key-facts')
@SignedIn()
export class DraftKeyFactsController {
  constructor(
    private readonly desk: OfferDesk,
    private readonly keyFacts: KeyFactsScreens,
  ) {}

  @Get(':amount/:issued.pdf')
  pdf(
    @HostedSession() session: HostedSessionValue,
    @Param() parameters: DraftParameters,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.answer('pdf', session, parameters, request, response);
  }

  @Get(':amount/:issued')
  page(
    @HostedSession() session: HostedSessionValue,
    @Param() parameters: DraftParameters,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.answer('page', session, parameters, request, response);
  }

  private async answer(
    kind: Kind,
    session: HostedSessionValue,
    { offerId, amount: text, issued }: DraftParameters,
    request: Request,
    response: Response,
  ): Promise<void> {
    const open = await this.desk.open(session, offerId);
    const amount = amountIn(open.offer, text);
    const issuedAt = issueTimeIn(issued);
    if (amount === null || issuedAt === null) throw new Detour(offerPath(offerId));
    const exchange = { request, response };
    const retryHref = confirmPath(offerId, amount);
    const quote = await this.desk.quote(exchange, session, open, amount, retryHref, issuedAt);
    if (!quote) return;
    await this.keyFacts[kind](request, response, {
      statement: quote.statement,
      contentHash: quote.keyFactsHash,
      isAgreed: false,
      pdfPath: `${draftPath(offerId, amount, quote.keyFactsIssuedAt)}.pdf`,
    });
  }
}
