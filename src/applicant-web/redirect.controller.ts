import { Controller, Get, Injectable, Param, type PipeTransform } from '@nestjs/common';
import { PagePartners } from '../auth/index.js';
import { FeePayments } from '../instant-loans/index.js';
import {
  type LinkRefusal,
  LinkRefusalService,
  OpenRedirectService,
  type RedirectVisit,
} from '../journeys/index.js';
import {
  AnswersWithScreens,
  enteredIn,
  FormPost,
  LeaveTo,
  nameOnPages,
  Page,
  readForm,
  SeeOther,
} from '../platform/index.js';
import {
  acknowledgementPage,
  ReadKeyFactsForm,
  stopPath,
  visitPath,
} from './acknowledgement-page.js';
import { paidFeeRows, stoppedPage, stopRows } from './entry/left-behind.js';
import { CurrentLink, type LinkVisit } from './entry/signed-in.js';
import { goldLeft } from './steps/gold-visit.js';

const RELOAD_SECONDS = 3;

@Injectable()
class NamePartnerOfLink implements PipeTransform<LinkVisit, LinkVisit> {
  constructor(
    private readonly redirects: OpenRedirectService,
    private readonly partners: PagePartners,
  ) {}

  /** On error pages too, such as that of an unreachable lender. */
  transform(visit: LinkVisit): LinkVisit {
    nameOnPages(visit.request, async () => {
      const partnerId = await this.redirects.partnerOf(visit.token);
      return partnerId === null ? null : this.partners.of(partnerId);
    });
    return visit;
  }
}

/** A visit by `/r/:token`. Its pages name the partner. */
const StableLink = () => CurrentLink(NamePartnerOfLink);

/** Stable links to the providers' and the gateways' pages. */
@Controller()
@AnswersWithScreens()
export class RedirectController {
  constructor(
    private readonly redirects: OpenRedirectService,
    private readonly refusals: LinkRefusalService,
    private readonly fees: FeePayments,
  ) {}

  /** The first visit shows the statement unless it was acknowledged. */
  @Get('r/:token')
  async visit(@StableLink() { token, language }: LinkVisit): Promise<Page | SeeOther> {
    const visit = await this.redirects.visit(token);
    if (visit.kind === 'WAIT') return waitPage(token);
    if (visit.kind !== 'UNACKNOWLEDGED') return new SeeOther(await this.addressAfter(visit));
    return acknowledgementPage(token, visit.terms, language);
  }

  /** For a reload after a rejected form. */
  @Get('r/:token/acknowledgement')
  back(@Param('token') token: string): SeeOther {
    return new SeeOther(visitPath(token));
  }

  /** Acknowledges the statement only if its hash equals the form's. */
  @FormPost('r/:token/acknowledgement')
  async acknowledge(
    @StableLink() { token, language, request }: LinkVisit,
  ): Promise<Page | LeaveTo> {
    const form = readForm(request, ReadKeyFactsForm);
    const { keyFactsHash = '' } = enteredIn(request);
    const visit = form.isValid
      ? await this.redirects.acknowledge(token, keyFactsHash, language)
      : await this.redirects.visit(token);
    if (visit.kind === 'WAIT') return waitPage(token);
    if (visit.kind !== 'UNACKNOWLEDGED') {
      const url = await this.addressAfter(visit);
      return new LeaveTo(url, new URL(url).hostname);
    }
    const again = form.isValid ? { hasChanged: true } : { errors: form.errors };
    return acknowledgementPage(token, visit.terms, language, again);
  }

  @Get('r/:token/stop')
  async showStop(@StableLink() { token }: LinkVisit): Promise<Page | SeeOther> {
    return stopAnswer(await this.refusals.read(token), token);
  }

  @FormPost('r/:token/stop')
  async stop(@StableLink() { token }: LinkVisit): Promise<SeeOther> {
    await this.refusals.stop(token);
    return new SeeOther(stopPath(token));
  }

  @Get('returned')
  returned(): Page {
    return new Page('entry/returned', { titleKey: 'common.returned.title' });
  }

  private async addressAfter(visit: Onward): Promise<string> {
    if (visit.kind === 'PROVIDER') return visit.url;
    const page = visit.kind === 'FEE' ? await this.fees.open(visit.fee, visit.returnUrl) : null;
    return page?.url ?? visit.returnUrl;
  }
}

type Onward = Exclude<RedirectVisit, { kind: 'UNACKNOWLEDGED' | 'WAIT' }>;

/** Reloads until there is a session or an error. */
function waitPage(token: string): Page {
  const retryHref = visitPath(token);
  return new Page('entry/opening', {
    titleKey: 'entry.moment.title',
    languageReturn: retryHref,
    retryHref,
    reloadSeconds: RELOAD_SECONDS,
  });
}

function stopAnswer(refusal: LinkRefusal, token: string): Page | SeeOther {
  if (refusal.kind === 'PAST') return new SeeOther(visitPath(token));
  const { valuations, mandates, fee } = refusal;
  const paidFee = paidFeeRows(fee);
  const left = { ...goldLeft(valuations), mandates, paidFee };
  if (refusal.kind === 'STOPPED') return stoppedPage('stopped', refusal.returnUrl, left, true);
  return new Page('entry/stop', {
    titleKey: 'entry.stop.title',
    rows: stopRows(left, true),
    mandates,
    keepHref: visitPath(token),
  });
}
