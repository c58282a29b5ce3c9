package dev.pawl.schedule;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The set of numbers that match one field of an expression.
 *
 * @param unit of the numbers
 * @param bits a bit for each number
 * @param isAny whether the field begins with a star
 */
record CronField(Unit unit, long bits, boolean isAny) {
    /** The unit of a field, in the order of the text. */
    enum Unit {
        SECOND(0, 59, ""),
        MINUTE(0, 59, ""),
        HOUR(0, 23, ""),
        DAY_OF_MONTH(1, 31, ""),
        MONTH(1, 12, "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC"),
        DAY_OF_WEEK(0, 7, "SUNMONTUEWEDTHUFRISAT");

        private static final int LETTERS = 3;

        private final int min;
        private final int max;
        private final String names;

        Unit(int min, int max, String names) {
            this.min = min;
            this.max = max;
            this.names = names;
        }

        int min() {
            return min;
        }

        int max() {
            return max;
        }

        /** {@return the end of a range that is written without an end; for days of the week 6, because 7 is Sunday again} */
        int last() {
            return this == DAY_OF_WEEK ? max - 1 : max;
        }

        /** {@return the number for a name; negative if there is none} */
        int named(String name) {
            int at = names.indexOf(name.toUpperCase(Locale.ROOT));
            return name.length() != LETTERS || at < 0 || at % LETTERS != 0 ? -1 : at / LETTERS + min;
        }

        /** {@return the name for messages} */
        String words() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    boolean has(int number) {
        return (bits >>> number & 1) != 0;
    }

    /** {@return the smallest number of the field that is not below the given number; negative if there is none} */
    int from(int number) {
        long rest = number >= Long.SIZE ? 0 : bits >>> number << number;
        return rest == 0 ? -1 : Long.numberOfTrailingZeros(rest);
    }

    int first() {
        return Long.numberOfTrailingZeros(bits);
    }

    boolean isOne() {
        return Long.bitCount(bits) == 1;
    }

    List<Integer> numbers() {
        return IntStream.rangeClosed(unit.min(), unit.max())
                .filter(this::has)
                .boxed()
                .toList();
    }

    /** {@return whether the field has all numbers of its unit} */
    boolean isAll() {
        return IntStream.rangeClosed(unit.min(), unit.last()).allMatch(this::has);
    }

    /**
     * {@return n if the field consists of every n-th number of its unit from the first, and n is above 1; otherwise 0} Except for days of
     * the month, the result is also 0 if n does not divide the unit evenly.
     */
    int step() {
        if (first() != unit.min() || isOne()) {
            return 0;
        }
        int step = from(first() + 1) - first();
        long expected = 0;
        for (int number = unit.min(); number <= unit.last(); number += step) {
            expected |= 1L << number;
        }
        boolean isRegular = unit == Unit.DAY_OF_MONTH || (unit.last() - unit.min() + 1) % step == 0;
        return step > 1 && expected == bits && isRegular ? step : 0;
    }
}
