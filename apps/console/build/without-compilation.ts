import { config } from 'zod';

// The page's policy refuses compiled texts. Zod tries one as soon as a schema is defined, unless it was configured before.
config({ jitless: true });
