import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  AnswersWithScreens,
  CsrfProtected,
  Fault,
  Page,
  SeeOther,
  WORKBENCH_PATH,
} from '../../platform/index.js';
import { WorkbenchFaultFilter } from '../access/workbench-fault.filter.js';
import { WorkbenchLinks } from '../access/workbench-links.js';
import { WorkbenchVisitors } from '../access/workbench-visitors.js';
import { doorPage } from './workbench-page.js';

const SPENT = {
  UNKNOWN: { title: 'This link is not valid', status: 404 },
  USED: { title: 'This link has been used', status: 410 },
  EXPIRED: { title: 'This link has run out', status: 410 },
} as const;

/**
 * Where the single-use links lead, and the way out. To open a link uses nothing up, so that previews and
 * scanners do no harm; its button does.
 */
@Controller('workbench')
@UseFilters(WorkbenchFaultFilter)
@AnswersWithScreens()
export class DoorController {
  constructor(
    private readonly links: WorkbenchLinks,
    private readonly visitors: WorkbenchVisitors,
  ) {}

  @Get('enter/:token')
  async show(@Param('token') token: string, @Req() request: Request): Promise<Page | SeeOther> {
    const status = (await this.links.statusOf(token)) ?? 'UNKNOWN';
    if (status === 'FRESH') return doorPage('enter', { title: 'Open the workbench' });
    // Who has pressed the button twice, or gone Back to it, is inside.
    if (await this.visitors.cameBy(request, token)) return new SeeOther(WORKBENCH_PATH);
    return doorPage('spent', { title: SPENT[status].title }, SPENT[status].status);
  }

  @Post('enter/:token')
  @CsrfProtected()
  async enter(
    @Param('token') token: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const session = await this.links.use(token);
    // What became of the link since it was shown is told by its own page.
    if (session === null) return new SeeOther(request.path);
    this.visitors.signIn(response, session);
    return new SeeOther(WORKBENCH_PATH);
  }

  @Post('sign-out')
  @CsrfProtected()
  async signOut(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    await this.visitors.signOut(request, response);
    return new SeeOther(WORKBENCH_PATH);
  }
}

/** The sandbox's front page. */
@Controller()
@AnswersWithScreens()
export class FrontDoorController {
  /** The router takes `//` for `/`, too; that is an address of nothing. */
  @Get()
  open(@Req() request: Request): SeeOther {
    if (request.path !== '/') throw new Fault('route_not_found');
    return new SeeOther(WORKBENCH_PATH);
  }
}
