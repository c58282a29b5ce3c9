package dev.pawl.specification;

import dev.pawl.Slot;
import dev.pawl.SlotException;
import dev.pawl.SlotSeries;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Steps that concern slots. */
final class SlotOps {
    private static final String GAPS = "gaps";

    private SlotOps() {}

    /**
     * A slot that a program believes to have.
     *
     * @param owner the model's number of the reservation
     */
    record Owned(Slot slot, long owner) {}

    /** Reserves the next number. */
    record Reserve(String series) implements Op {
        @Override
        public void on(Real real, Model model) {
            boolean gapless = !series.equals(GAPS);
            SlotSeries numbers = real.queue.slots().series(series).gapless(gapless);
            Slot slot = numbers.reserve();
            real.slots.add(new Owned(slot, model.slots.reserve(series, gapless, slot.number(), model.now)));
        }

        @Override
        public String toString() {
            return Op.call("reserve", series);
        }
    }

    /** What an owner does. */
    enum Does {
        USE,
        CLEAR,
        EXTEND,
        /** A person gives it back. */
        FREE
    }

    /** The owner of a slot does something with it. */
    record Change(Does does, int slot) implements Op.InTransaction {
        @Override
        public void on(Real real, Model model, @Nullable Connection connection) throws SQLException {
            if (real.slots.isEmpty() || (connection != null && does != Does.USE)) {
                return;
            }
            Owned owned = real.slots.get(slot % real.slots.size());
            String series = owned.slot().series();
            long number = owned.slot().number();
            switch (does) {
                case USE -> model.slots.use(series, number, owned.owner(), uses(owned.slot(), connection));
                case CLEAR -> {
                    boolean cleared = owned.slot().clear();
                    model.slots.clear(series, number, owned.owner(), cleared);
                }
                case EXTEND -> {
                    Duration ttl = Duration.ofMinutes(5);
                    boolean extended = owned.slot().extend(ttl);
                    model.slots.extend(series, number, owned.owner(), ttl, extended, model.now);
                }
                case FREE -> model.slots.free(series, number, real.queue.slots().free(series, Long.toString(number)));
            }
        }

        private static boolean uses(Slot slot, @Nullable Connection connection) throws SQLException {
            try {
                if (connection == null) {
                    slot.use();
                } else {
                    slot.use(connection);
                }
                return true;
            } catch (SlotException refused) {
                return false;
            }
        }

        @Override
        public String toString() {
            return Op.call("slot", does, slot);
        }
    }

    /** Forgets a series. */
    record Flush(String series) implements Op {
        @Override
        public void on(Real real, Model model) {
            model.slots.flush(series, real.queue.slots().flush(series));
        }

        @Override
        public String toString() {
            return Op.call("flush", series);
        }
    }
}
