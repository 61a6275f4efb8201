import { readFileSync, writeFileSync } from 'node:fs';

import { templatePaths, withSharedCode } from '../../test/support/sharedCode';

for (const path of templatePaths) writeFileSync(path, withSharedCode(readFileSync(path, 'utf8')));
