import { Controller, Get } from '@nestjs/common';
import {
  DETAIL_NAMES,
  type DetailName,
  HostedConfirmation,
  type HostedJourneyView,
} from '../../journeys/index.js';
import { FormPost, Page, type SeeOther } from '../../platform/index.js';
import type { ShownAgain } from '../acknowledgement-page.js';
import {
  ALL_DETAILS,
  CHECK,
  DETAILS,
  questionOf,
  screenOf,
  ScreenRedirect,
  stopHref,
  TO_CURRENT_SCREEN,
} from './current-screen.js';
import { detailFields, readDetails } from './detail-forms.js';
import { AnyJourney, type JourneyVisit, SignedIn } from './signed-in.js';

/** Asks for missing details; with `?all` for all. */
@Controller('hosted/details')
@SignedIn()
export class DetailsController {
  constructor(private readonly confirmation: HostedConfirmation) {}

  @Get()
  show(@AnyJourney() visit: JourneyVisit): Page {
    return detailsPage(visit.view, detailNames(visit), {});
  }

  @FormPost()
  async submit(@AnyJourney() visit: JourneyVisit): Promise<Page | SeeOther> {
    const { view, session, request } = visit;
    const names = detailNames(visit);
    const { changes, errors, entered } = readDetails(
      request,
      names,
      view.missingDetails,
      view.applicant,
    );
    if (errors.length > 0) return detailsPage(view, names, { errors, entered });
    if (Object.keys(changes).length > 0) await this.confirmation.submitDetails(session, changes);
    return TO_CURRENT_SCREEN;
  }
}

/**
 * @throws ScreenRedirect before the consent, once the lenders are asked, and when nothing is
 * missing or being corrected
 */
function detailNames({ view, request }: JourneyVisit): readonly DetailName[] {
  if (view.isConfirmed || !view.consent) throw new ScreenRedirect(screenOf(view));
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
