import { Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import {
  DETAIL_NAMES,
  type DetailName,
  HostedJourneys,
  type HostedJourneyView,
} from '../../journeys/index.js';
import {
  CsrfProtected,
  type Entered,
  Fault,
  type FormError,
  Page,
  readForm,
  SeeOther,
} from '../../platform/index.js';
import { DETAIL_PAGES } from './detail-forms.js';
import { ScreenRedirect, CURRENT_SCREEN } from './screen-redirect.js';
import { questionOf } from '../question-count.js';
import { CHECK, screenOf } from './current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from './signed-in.js';

/** One detail a page: what the partner did not give, and what the applicant corrects. */
@Controller('hosted/details')
@SignedIn()
export class DetailsController {
  constructor(private readonly hosted: HostedJourneys) {}

  @Get(':name')
  async show(
    @Param('name') given: string,
    @HostedSession() session: HostedSessionValue,
  ): Promise<Page> {
    const name = detailName(given);
    return detailPage(await this.open(session), name, {});
  }

  @Post(':name')
  @HttpCode(200)
  @CsrfProtected()
  async submit(
    @Param('name') given: string,
    @HostedSession() session: HostedSessionValue,
    @Req() request: Request,
  ): Promise<Page | SeeOther> {
    const name = detailName(given);
    const view = await this.open(session);
    const form = readForm(request, DETAIL_PAGES[name].form);
    if (!form.isValid) {
      const { errors, entered } = form;
      return detailPage(view, name, { errors, entered });
    }
    await this.hosted.submitDetails(session, form.value);
    return new SeeOther(CURRENT_SCREEN);
  }

  /** @throws ScreenRedirect once the lenders have been asked, and before the consent */
  private async open(session: HostedSessionValue): Promise<HostedJourneyView> {
    const view = await this.hosted.read(session);
    if (view.isConfirmed || !view.consent) throw new ScreenRedirect(screenOf(view));
    return view;
  }
}

function detailPage(
  view: HostedJourneyView,
  name: DetailName,
  more: { errors?: readonly FormError[]; entered?: Entered },
): Page {
  const { template, titleKey, options, known } = DETAIL_PAGES[name];
  const isCorrection = !view.missingDetails.includes(name);
  return new Page(template, {
    titleKey,
    question: isCorrection ? null : questionOf(view, name),
    options,
    known: view.applicant ? known(view.applicant) : '',
    ...(isCorrection && view.missingDetails.length === 0 && { backHref: CHECK }),
    ...more,
  });
}

function detailName(given: string): DetailName {
  const name = DETAIL_NAMES.find((each) => each === given);
  if (!name) throw new Fault('route_not_found');
  return name;
}
