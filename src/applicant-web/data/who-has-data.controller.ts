import { Controller, Get } from '@nestjs/common';
import { PagePartners } from '../../auth/index.js';
import { consentText, consentValues } from '../../consents/index.js';
import { InstantLoanPages } from '../../instant-loans/index.js';
import { LenderGateway } from '../../lenders/index.js';
import {
  AnswersWithScreens,
  Fault,
  type Language,
  nameOnPages,
  Page,
  PageLanguage,
} from '../../platform/index.js';
import { type Lender, LenderCatalogue, ServiceSettings } from '../../settings/index.js';
import {
  AnyJourney,
  CurrentLink,
  type JourneyVisit,
  type LinkVisit,
  SignedIn,
} from '../entry/signed-in.js';
import { stopHref } from '../entry/current-screen.js';
import { LoanLink } from '../instant-loans/instant-loan-pages.controller.js';
import {
  type DataLender,
  type DataStanding,
  type DataWays,
  type FeeTakers,
  instantStandingsOf,
  OutsideCompanies,
  REDIRECT_STEPS,
  shownLender,
  standingsOf,
  whoHasDataScreen,
} from './who-has-data.js';

/** In general, or for the applicant's own application. */
@Controller()
export class WhoHasDataController {
  constructor(
    private readonly instantLoans: InstantLoanPages,
    private readonly lenders: LenderCatalogue,
    private readonly gateway: LenderGateway,
    private readonly settings: ServiceSettings,
    private readonly partners: PagePartners,
    private readonly companies: OutsideCompanies,
  ) {}

  @Get('hosted/data')
  @SignedIn()
  own(@AnyJourney() { view, language }: JourneyVisit): Promise<Page> {
    const ways = { backHref: '/hosted', stopHref: stopHref(view) };
    const { fee, selected } = view;
    const fees = fee && { orderId: fee.orderId, lenderCodes: [selected!.offer.lenderCode] };
    return this.page(standingsOf(view), fees, ways, language);
  }

  @Get('pay/:token/data')
  @AnswersWithScreens()
  async ofInstantLoan(@LoanLink() { token, language }: LinkVisit): Promise<Page> {
    const { asked, chosen, paymentOrderId: orderId } = await this.instantLoans.lendersOf(token);
    const fees = { orderId, lenderCodes: chosen === null ? asked : [chosen] };
    const ways = { backHref: `/pay/${token}`, isInstant: true };
    return this.page(instantStandingsOf(asked, chosen), fees, ways, language);
  }

  @Get('data')
  @AnswersWithScreens()
  async all(@PageLanguage() language: Language): Promise<Page> {
    const enabled = (await this.lenders.list()).filter(({ isEnabled }) => isEnabled);
    const lenderCodes = enabled.map(({ code }) => code);
    const standings = new Map(lenderCodes.map((code) => [code, null]));
    return this.page(standings, { orderId: null, lenderCodes }, {}, language);
  }

  /** Linked from the pages that a partner's applicants see. */
  @Get('data/:token')
  @AnswersWithScreens()
  ofPartner(@CurrentLink() { token, language, request }: LinkVisit): Promise<Page> {
    const partnerId = this.partners.idOf(token);
    if (partnerId === null) throw new Fault('link_not_found');
    nameOnPages(request, () => this.partners.of(partnerId));
    return this.all(language);
  }

  private async page(
    standings: ReadonlyMap<string, DataStanding>,
    fees: FeeTakers | null,
    ways: DataWays,
    language: Language,
  ): Promise<Page> {
    const listed = (await this.lenders.list()).filter(({ code }) => standings.has(code));
    const lenders = await Promise.all(
      listed.map(async (lender) =>
        shownLender(await this.dataLender(lender), standings.get(lender.code) ?? null),
      ),
    );
    const companies = await this.companies.of(fees);
    const { dataKeptYears } = await this.settings.operating();
    const brand = await this.settings.brand();
    const consent = consentText(language, consentValues('HOSTED', brand, [], dataKeptYears));
    return new Page('entry/who-has-data', whoHasDataScreen(lenders, companies, ways, consent));
  }

  private async dataLender({ code, name, terms }: Lender): Promise<DataLender> {
    const firms = await Promise.all(
      REDIRECT_STEPS.map(async (step) => ({
        step,
        provider: await this.gateway.providerOf(code, step),
      })),
    );
    return {
      name,
      phone: (terms.contact ?? terms.grievanceOfficer).phone,
      creditReport: terms.creditReport,
      recoveryAgent: terms.recoveryAgentLsp,
      firms: firms.flatMap(({ step, provider }) => (provider ? [{ step, provider }] : [])),
    };
  }
}
