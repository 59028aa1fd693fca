import { Controller, Get, Injectable, Param } from '@nestjs/common';
import { JourneyAllowance } from '../../journeys/index.js';
import type { Paise } from '../../loans/index.js';
import { Keyring, Page, type PageFile, sayDateTime, type Shown } from '../../platform/index.js';
import { ScreenRedirect } from '../entry/current-screen.js';
import { SignedIn } from '../entry/signed-in.js';
import { KeyFactsScreens } from '../key-facts/key-facts.controller.js';
import {
  amountIn,
  confirmPath,
  OfferHere,
  OfferLookup,
  offerPath,
  type OpenOffer,
  rupeesText,
} from './offer-lookup.js';

/** The issue time is signed, so that no other can be requested. */
@Injectable()
export class DraftAddresses {
  constructor(private readonly keyring: Keyring) {}

  /**
   * The PDF's path ends with `.pdf`.
   * @param issuedAt ISO 8601
   */
  pathOf(offerId: string, amount: Paise, issuedAt: string): string {
    const milliseconds = String(Date.parse(issuedAt));
    const signed = this.keyring.signLink(milliseconds, purposeOf(offerId, amount));
    return `${offerPath(offerId)}/key-facts/${rupeesText(amount)}/${signed}`;
  }

  /** Null for a forged address, or one of another offer or amount. */
  issueTimeIn(offerId: string, amount: Paise, signed: string): Date | null {
    const milliseconds = this.keyring.readLink(signed, purposeOf(offerId, amount));
    return milliseconds === null ? null : new Date(Number(milliseconds));
  }
}

function purposeOf(offerId: string, amount: Paise): string {
  return `draft-key-facts/${offerId}/${amount}`;
}

type Kind = 'page' | 'pdf';

interface DraftParameters {
  /** In rupees. */
  readonly amount: string;
  /** The issue time, signed by `DraftAddresses`. */
  readonly issued: string;
}

/** Accepts only issue times that were shown, and limits PDFs per journey. */
@Controller('hosted/offers/:offerId/key-facts')
@SignedIn()
export class DraftKeyFactsController {
  constructor(
    private readonly lookup: OfferLookup,
    private readonly drafts: DraftAddresses,
    private readonly allowance: JourneyAllowance,
    private readonly keyFacts: KeyFactsScreens,
  ) {}

  @Get(':amount/:issued.pdf')
  pdf(
    @OfferHere() open: OpenOffer,
    @Param() parameters: DraftParameters,
  ): Promise<Page | PageFile> {
    return this.answer('pdf', open, parameters);
  }

  @Get(':amount/:issued')
  page(
    @OfferHere() open: OpenOffer,
    @Param() parameters: DraftParameters,
  ): Promise<Page | PageFile> {
    return this.answer('page', open, parameters);
  }

  private async answer(
    kind: Kind,
    open: OpenOffer,
    { amount: text, issued }: DraftParameters,
  ): Promise<Page | PageFile> {
    const { session, request, offer } = open;
    const { offerId } = offer;
    const amount = amountIn(offer, text);
    const issuedAt = amount === null ? null : this.drafts.issueTimeIn(offerId, amount, issued);
    if (amount === null || issuedAt === null) throw new ScreenRedirect(offerPath(offerId));
    const retryHref = confirmPath(offerId, amount);
    const quote = await this.lookup.quote(open, amount, retryHref, issuedAt);
    if (quote instanceof Page) return quote;
    const path = this.drafts.pathOf(offerId, amount, quote.keyFactsIssuedAt);
    const pausedUntil =
      kind === 'pdf' ? await this.allowance.take('DRAFT_PDFS_OF_JOURNEY', session.journeyId) : null;
    if (pausedUntil) return pausePage(sayDateTime(pausedUntil), path);
    return this.keyFacts[kind](request, {
      statement: quote.statement,
      contentHash: quote.keyFactsHash,
      isFrozen: false,
      isAgreed: false,
      owner: { partnerId: session.partnerId, subjectId: session.journeyId },
      pdfPath: `${path}.pdf`,
      bindsBy: 'SIGNATURE',
    });
  }
}

function pausePage(when: Shown, statementPath: string): Page {
  const model = {
    titleKey: 'common.fault.tooMany.title',
    textKey: 'steps.draft.paused',
    when,
    backHref: statementPath,
    languageReturn: statementPath,
  };
  return new Page('entry/too-many', model, 429);
}
