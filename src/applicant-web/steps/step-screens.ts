import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { HostedJourneyView } from '../../journeys/index.js';
import { Fault, type Language, type ScreenModel, Screens } from '../../platform/index.js';
import { type QuestionPage, questionOf } from '../question-count.js';

const SHEET = 'steps.css';

/** One request and its answer, as the screens need them. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

/** What a screen shows, and what the layout needs of it. */
type StepModel = ScreenModel & Readonly<Record<string, unknown>>;

/** Shows the screens of the steps, with their style, their stamp and their place in the journey. */
@Injectable()
export class StepScreens {
  constructor(private readonly screens: Screens) {}

  languageOf({ request }: Exchange): Language {
    return this.screens.languageOf(request);
  }

  /** A page that asks for something. */
  question(
    { request, response }: Exchange,
    view: HostedJourneyView,
    page: QuestionPage,
    name: string,
    model: StepModel,
  ): Promise<void> {
    return this.screens.render(request, response, name, {
      ...model,
      sheets: [SHEET],
      shown: view.stamp,
      question: questionOf(view, page),
    });
  }

  /** A page that tells something, or waits. */
  show({ request, response }: Exchange, name: string, model: StepModel): Promise<void> {
    return this.screens.render(request, response, name, { ...model, sheets: [SHEET] });
  }

  /** A lender that cannot be reached: nothing has changed, and the page can be asked for again. */
  away(exchange: Exchange, lenderName: string, retryHref: string): Promise<void> {
    exchange.response.status(new Fault('lender_unavailable').status);
    return this.show(exchange, 'hosted/steps/lender-away', {
      titleKey: 'steps.away.title',
      titleValues: { lender: lenderName },
      languageReturn: retryHref,
      lenderName,
      retryHref,
    });
  }
}

/** Whether something failed in the way of the closed catalogue that is named. */
export function isFault(error: unknown, code: Fault['code']): error is Fault {
  return error instanceof Fault && error.code === code;
}
