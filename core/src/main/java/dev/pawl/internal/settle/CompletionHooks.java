package dev.pawl.internal.settle;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * The hooks of features, called in their order, which is the order in which they lock rows.
 *
 * @param all the hooks, in this order
 */
public record CompletionHooks(List<CompletionHook> all) implements CompletionHook {
    @Override
    public void afterCompletion(Connection connection, List<FinishedJob> ended) throws SQLException {
        for (CompletionHook hook : all) {
            hook.afterCompletion(connection, ended);
        }
    }

    @Override
    public CompletionHook withoutWaiting() {
        return new CompletionHooks(
                all.stream().map(CompletionHook::withoutWaiting).toList());
    }
}
