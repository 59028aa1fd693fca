import { Controller, Get, Param, Redirect, Render } from '@nestjs/common';
import { OpenRedirectService } from '../journeys/index.js';
import { BrandBook } from '../platform/index.js';

/** Our own stable links to the providers' pages, and the page for applicants without an app. */
@Controller()
export class RedirectController {
  constructor(
    private readonly redirects: OpenRedirectService,
    private readonly brand: BrandBook,
  ) {}

  @Get('r/:token')
  @Redirect()
  async visit(@Param('token') token: string): Promise<{ url: string; statusCode: number }> {
    const visit = await this.redirects.visit(token);
    return { url: visit.kind === 'PROVIDER' ? visit.url : visit.returnUrl, statusCode: 303 };
  }

  @Get('returned')
  @Render('returned')
  async returned(): Promise<{ displayName: string }> {
    const { displayName } = await this.brand.brand();
    return { displayName };
  }
}
