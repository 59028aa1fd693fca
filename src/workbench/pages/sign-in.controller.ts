import { Controller, Get, Param, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  AnswersWithScreens,
  Fault,
  FormPost,
  Page,
  SeeOther,
  WORKBENCH_PATH,
} from '../../platform/index.js';
import { WorkbenchFaultFilter } from '../access/signed-in.js';
import { WorkbenchLinks } from '../access/workbench-links.js';
import { WorkbenchVisitors } from '../access/workbench-visitors.js';
import { signedOutPage } from './workbench-page.js';

const SPENT = {
  UNKNOWN: { title: 'This link is not valid', status: 404 },
  USED: { title: 'This link was already used', status: 410 },
  EXPIRED: { title: 'This link has expired', status: 410 },
} as const;

/** Only the button uses the link up, so that previews and scanners do no harm. */
@Controller('workbench')
@UseFilters(WorkbenchFaultFilter)
@AnswersWithScreens()
export class SignInController {
  constructor(
    private readonly links: WorkbenchLinks,
    private readonly visitors: WorkbenchVisitors,
  ) {}

  @Get('enter/:token')
  async show(@Param('token') token: string, @Req() request: Request): Promise<Page | SeeOther> {
    const status = (await this.links.statusOf(token)) ?? 'UNKNOWN';
    if (status === 'FRESH') return signedOutPage('enter', { title: 'Open the workbench' });
    // Already signed in: a second press, or Back.
    if (await this.visitors.isOpenedBy(request, token)) return new SeeOther(WORKBENCH_PATH);
    return signedOutPage('spent', { title: SPENT[status].title }, SPENT[status].status);
  }

  @FormPost('enter/:token')
  async enter(
    @Param('token') token: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const session = await this.links.use(token);
    // The link's page says that it was used or has expired.
    if (session === null) return new SeeOther(request.path);
    this.visitors.signIn(response, session);
    return new SeeOther(WORKBENCH_PATH);
  }

  @FormPost('sign-out')
  async signOut(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    await this.visitors.signOut(request, response);
    return new SeeOther(WORKBENCH_PATH);
  }
}

@Controller()
@AnswersWithScreens()
export class FrontPageController {
  /** The router accepts `//`, which is no address, for `/`. */
  @Get()
  open(@Req() request: Request): SeeOther {
    if (request.path !== '/') throw new Fault('route_not_found');
    return new SeeOther(WORKBENCH_PATH);
  }
}
