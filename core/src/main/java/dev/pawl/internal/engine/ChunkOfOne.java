package dev.pawl.internal.engine;

import dev.pawl.api.Chunk;
import dev.pawl.api.JobRun;
import dev.pawl.api.Outcome;
import java.util.List;

/** Calls a chunk handler with one job, which runs like any other: inside a transaction, if its queue is claimed that way. */
record ChunkOfOne<T>(ChunkEntry<T> entry) implements Handlers.Call {
    @Override
    public Outcome handle(String payload, JobRun run) throws Exception {
        ActiveItem<T> item = new ActiveItem<>(run);
        item.payload(entry.decode().apply(payload));
        try {
            entry.handler().handle(new One<>(item));
        } catch (Exception | Error e) {
            if (!item.hasOutcome()) {
                throw e;
            }
        }
        if (!item.hasOutcome()) {
            item.ends(Outcome.completed());
        }
        return item.ended();
    }

    private record One<T>(ActiveItem<T> item) implements Chunk<T> {
        @Override
        public List<Item<T>> items() {
            return List.of(item);
        }

        @Override
        public void transaction(TransactionWork<T> work) throws Exception {
            if (item.hasOutcome()) {
                throw ChunkWork.nothingLeft();
            }
            try {
                item.run().transaction(connection -> {
                    work.run(connection, items());
                    item.requireNoOutcome();
                });
            } catch (Throwable rolledBack) {
                item.rolledBack(rolledBack);
                throw rolledBack;
            }
        }
    }
}
