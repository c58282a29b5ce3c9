package dev.pawl.dashboard.internal.change;

import dev.pawl.dashboard.internal.web.Call;

/** Something that people do to the queue. */
@FunctionalInterface
interface Change {
    Done apply(Call call);
}
