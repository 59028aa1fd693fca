import { Controller, Get } from '@nestjs/common';
import type { Request } from 'express';
import {
  DETAIL_NAMES,
  type DetailName,
  HostedJourneys,
  type HostedJourneyView,
  type HostedSessionValue,
} from '../../journeys/index.js';
import { FormPost, Page, SeeOther } from '../../platform/index.js';
import type { ShownAgain } from '../acknowledgement-page.js';
import {
  ALL_DETAILS,
  CHECK,
  CURRENT_SCREEN,
  DETAILS,
  questionOf,
  screenOf,
  ScreenRedirect,
  stopHref,
} from './current-screen.js';
import { detailFields, readDetails } from './detail-forms.js';
import { CurrentVisit, SignedIn, type Visit } from './signed-in.js';

/** Asks for missing details; with `?all` for all. */
@Controller('hosted/details')
@SignedIn()
export class DetailsController {
  constructor(private readonly hosted: HostedJourneys) {}

  @Get()
  async show(@CurrentVisit() { session, request }: Visit): Promise<Page> {
    const view = await this.open(session);
    return detailsPage(view, detailNames(view, request), {});
  }

  @FormPost()
  async submit(@CurrentVisit() { session, request }: Visit): Promise<Page | SeeOther> {
    const view = await this.open(session);
    const names = detailNames(view, request);
    const { changes, errors, entered } = readDetails(
      request,
      names,
      view.missingDetails,
      view.applicant,
    );
    if (errors.length > 0) return detailsPage(view, names, { errors, entered });
    if (Object.keys(changes).length > 0) await this.hosted.submitDetails(session, changes);
    return new SeeOther(CURRENT_SCREEN);
  }

  /** @throws ScreenRedirect once the lenders are asked, and before the consent */
  private async open(session: HostedSessionValue): Promise<HostedJourneyView> {
    const view = await this.hosted.read(session);
    if (view.isConfirmed || !view.consent) throw new ScreenRedirect(screenOf(view));
    return view;
  }
}

/** @throws ScreenRedirect when nothing is missing or being corrected */
function detailNames(view: HostedJourneyView, request: Request): readonly DetailName[] {
  if (request.query.all !== undefined) return DETAIL_NAMES;
  if (view.missingDetails.length === 0) throw new ScreenRedirect(screenOf(view));
  return view.missingDetails;
}

function detailsPage(
  view: HostedJourneyView,
  names: readonly DetailName[],
  more: ShownAgain,
): Page {
  const isCorrection = view.missingDetails.length === 0;
  const isAll = names === DETAIL_NAMES;
  return new Page('entry/details', {
    titleKey: 'entry.details.title',
    question: isCorrection ? null : questionOf(view, 'details'),
    action: isAll ? ALL_DETAILS : DETAILS,
    fields: detailFields(names, view.applicant),
    stopHref: stopHref(view),
    ...(isCorrection && { backHref: CHECK }),
    ...more,
  });
}
