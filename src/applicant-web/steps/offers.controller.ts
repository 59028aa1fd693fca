import { Controller, Get, Query } from '@nestjs/common';
import { HostedJourneys, ShownComparisons } from '../../journeys/index.js';
import { type Language, type Page, PageLanguage } from '../../platform/index.js';
import { ServiceSettings } from '../../settings/index.js';
import { requireScreen } from '../entry/current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from '../entry/signed-in.js';
import {
  chargeRows,
  dearer,
  haveDifferentAmounts,
  lendersWithoutOffer,
  shownOffers,
} from './compared-offers.js';
import { isRounded } from './loan-figures.js';
import { orderIn, orderLinks } from './offer-order.js';
import { districtCentre } from './pin-districts.js';
import { questionPage } from './step-pages.js';

/** What is said of an offer that cannot be chosen. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ['expired', 'steps.offers.expired.text'],
  ['withdrawn', 'steps.offers.withdrawn.text'],
  ['amount_out_of_range', 'steps.offers.outOfRange.text'],
  ['other', 'steps.offers.notTaken.text'],
]);

/** The offers, side by side. */
@Controller('hosted/offers')
@SignedIn()
export class OffersController {
  constructor(
    private readonly hosted: HostedJourneys,
    private readonly comparisons: ShownComparisons,
    private readonly settings: ServiceSettings,
  ) {}

  /**
   * @param by the order that the offers are wanted in
   * @param notice why an offer that the applicant comes from cannot be chosen; a key of `NOTICES`
   */
  @Get()
  async show(
    @HostedSession() session: HostedSessionValue,
    @PageLanguage() language: Language,
    @Query('by') by: unknown,
    @Query('notice') notice: unknown,
  ): Promise<Page> {
    const view = await this.hosted.read(session);
    if (view.wayBack !== 'OPEN') requireScreen(view, '/hosted/offers');
    const chosen = view.selected?.offer.lenderName;
    const order = orderIn(by);
    const compared = await this.comparisons.toApplicant(view, language, order);
    const { branchNearKm } = await this.settings.operating();
    const pinCode = view.applicant?.pinCode;
    const offers = shownOffers(compared, order, language, {
      from: pinCode ? districtCentre(pinCode) : null,
      withinKm: branchNearKm,
    });
    const model = {
      ...(chosen === undefined
        ? { titleKey: 'steps.offers.title', titleValues: { count: offers.length } }
        : { titleKey: 'steps.offers.again.title', chosen }),
      isWide: true,
      offers: offers.map((offer) => ({ ...offer, nearKm: branchNearKm })),
      count: offers.length,
      isComparison: offers.length > 1,
      orders: orderLinks('/hosted/offers', order),
      dearer: dearer(offers),
      haveDifferentAmounts: haveDifferentAmounts(offers),
      chargeRows: chargeRows(offers),
      hasUnstated: offers.some(({ charges }) =>
        charges.some(({ standing }) => standing === 'NOT_STATED'),
      ),
      isRounded: offers.some(({ emi: instalment, tenureMonths, total }) =>
        isRounded({ instalment, tenureMonths, total }),
      ),
      isGold: offers.some(({ note }) => note !== null),
      hasCoLender: offers.some(({ coLender }) => coLender !== undefined),
      noticeKey: typeof notice === 'string' ? (NOTICES.get(notice) ?? null) : null,
      ...lendersWithoutOffer(view),
    };
    const concerned = view.offers;
    return questionPage(view, 'offers', 'hosted/steps/offers', model, { concerned });
  }
}
