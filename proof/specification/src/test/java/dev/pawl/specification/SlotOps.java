package dev.pawl.specification;

import dev.pawl.SlotSeries;
import dev.pawl.api.Slot;
import dev.pawl.api.SlotException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Steps that concern slots. */
final class SlotOps {
    private static final String GAPS = "gaps";

    private SlotOps() {}

    /**
     * A slot that a program believes it owns.
     *
     * @param owner the model's number of the reservation
     */
    record Owned(Slot slot, long owner) {}

    /** Reserves the next number. */
    record Reserve(String series) implements Breakable {
        @Override
        public void on(Real real, Model model) {
            boolean gapless = !series.equals(GAPS);
            real.hasSlots = true;
            SlotSeries numbers = real.queue.slots().series(series).gapless(gapless);
            Slot slot = numbers.reserve();
            real.slots.add(new Owned(slot, model.slots.reserve(series, gapless, slot.number(), model.now)));
        }

        /**
         * The step may have created only the series, or may have reserved a number. If the reply is lost, the number stays reserved until
         * it expires.
         */
        @Override
        public List<Effect> effects(Real real, Model before, List<Real.Held> runs) {
            return List.of(
                    model -> model.slots.create(series),
                    model -> model.slots.reserveWithLostReply(series, !series.equals(GAPS), model.now));
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
        /** A user frees it. */
        FREE
    }

    /** The owner of a slot changes it. */
    record Change(Does does, int slot) implements Op.InTransaction, Breakable {
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

        @Override
        public List<Effect> effects(Real real, Model before, List<Real.Held> runs) {
            if (real.slots.isEmpty()) {
                return List.of();
            }
            Owned owned = real.slots.get(slot % real.slots.size());
            String series = owned.slot().series();
            long number = owned.slot().number();
            return switch (does) {
                case USE -> List.of(model -> model.slots.use(series, number, owned.owner(), true));
                case CLEAR -> List.of(model -> model.slots.clear(series, number, owned.owner(), true));
                case FREE -> List.of(model -> model.slots.free(series, number, true));
                case EXTEND -> List.of();
            };
        }

        /** An extension only moves the end of the reservation, which is not visible before it has passed. */
        @Override
        public boolean isRepeatable() {
            return does == Does.EXTEND;
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

    /** Deletes a series. */
    record Flush(String series) implements Breakable {
        @Override
        public void on(Real real, Model model) {
            model.slots.flush(series, real.queue.slots().flush(series));
        }

        @Override
        public List<Effect> effects(Real real, Model before, List<Real.Held> runs) {
            return List.of(model -> model.slots.flush(series, true));
        }

        @Override
        public String toString() {
            return Op.call("flush", series);
        }
    }
}
