package dev.pawl.codec;

import java.lang.reflect.Field;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The path of a value in a payload, with names of classes and members only, because keys of maps are content. */
final class MemberPath {
    private final StringBuilder path = new StringBuilder();

    /**
     * Appends a step.
     *
     * @param from the object from which the step leads, or its class
     * @param member of it; null in an array or a list
     * @param index in the array or list; negative if there is none
     */
    void add(@Nullable Object from, @Nullable String member, int index) {
        Class<?> type = from instanceof Class<?> is ? is : from == null ? Object.class : from.getClass();
        if (path.isEmpty()) {
            path.append(" at ");
            path.append(type.isArray() || Collection.class.isAssignableFrom(type) ? "element" : type.getSimpleName());
        }
        if (member != null) {
            path.append('.').append(isMember(type, member) ? member : "…");
        } else if (index >= 0) {
            path.append('[').append(index).append(']');
        }
    }

    private static boolean isMember(Class<?> type, String name) {
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    return !Map.class.isAssignableFrom(type);
                }
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
