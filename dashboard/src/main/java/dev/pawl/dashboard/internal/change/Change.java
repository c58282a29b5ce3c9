package dev.pawl.dashboard.internal.change;

import dev.pawl.dashboard.internal.web.Call;

/** A change of the queue. */
@FunctionalInterface
interface Change {
    ChangeResponse apply(Call call);
}
