import { HttpCode, Post } from '@nestjs/common';
import { CurrentPartner, type PartnerIdentity, Scoped } from '../../auth/index.js';
import { PartnerApi } from '../../platform/index.js';
import { WorkbenchLinks } from '../access/workbench-links.js';
import { CreateWorkbenchLinkCall, type WorkbenchLinkView } from './workbench-links.api.js';

@PartnerApi('workbench-links')
export class WorkbenchLinksController {
  constructor(private readonly links: WorkbenchLinks) {}

  @CreateWorkbenchLinkCall()
  @Post()
  @HttpCode(200)
  @Scoped('workbench:open')
  async create(@CurrentPartner() partner: PartnerIdentity): Promise<WorkbenchLinkView> {
    const { url, expiresAt } = await this.links.issue(partner);
    return { url, expiresAt: expiresAt.toISOString() };
  }
}
