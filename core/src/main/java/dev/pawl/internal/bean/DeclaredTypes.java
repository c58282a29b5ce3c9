package dev.pawl.internal.bean;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobType;
import dev.pawl.api.TypeToken;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The {@link JobType}s with which an application enqueues, as far as its framework can see them: beans, the types of
 * schedules, and constants in the classes of handlers, the classes around these, and the classes of payloads. Each is
 * compared with the handler of its kind: a mismatch in payload, queue or attempts is reported at startup.
 */
final class DeclaredTypes {
    private final Map<String, JobType<?>> byPlace;
    private final Set<Class<?>> searched = new LinkedHashSet<>();

    /** @param byPlace the types that are beans, and those of schedules */
    DeclaredTypes(Map<String, JobType<?>> byPlace) {
        this.byPlace = new LinkedHashMap<>(byPlace);
    }

    void addConstants(FoundHandler handler) {
        addConstants(handler.type().payloadType().type() instanceof Class<?> payload ? payload : null);
        for (Class<?> each = handler.owner(); each != null; each = each.getEnclosingClass()) {
            addConstants(each);
        }
    }

    private void addConstants(@Nullable Class<?> owner) {
        if (owner == null || owner.getName().startsWith("java.") || !searched.add(owner)) {
            return;
        }
        for (Field field : fields(owner)) {
            if (field.getType() == JobType.class
                    && Modifier.isStatic(field.getModifiers())
                    && Modifier.isFinal(field.getModifiers())) {
                if (constant(field) instanceof JobType<?> type) {
                    byPlace.put(owner.getName() + "." + field.getName(), type);
                }
            }
        }
    }

    private static @Nullable Object constant(Field field) {
        try {
            field.setAccessible(true);
            return field.get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Field[] fields(Class<?> owner) {
        try {
            return owner.getDeclaredFields();
        } catch (LinkageError optional) { // a field has a type that is not on the class path
            return new Field[0];
        }
    }

    /** @throws IllegalStateException if a type does not match the handler of its kind */
    void requireMatchingHandler(Map<String, FoundHandler> handlers) {
        byPlace.forEach((place, type) -> {
            FoundHandler handler = handlers.get(type.kind());
            if (handler != null) {
                requireMatchingHandler(handler, place, type);
            }
        });
    }

    private static void requireMatchingHandler(FoundHandler handler, String place, JobType<?> type) {
        JobType<?> handled = handler.type();
        TypeToken<?> payload = handled.payloadType();
        if (!payload.equals(TypeToken.of(Void.class)) && !payload.equals(type.payloadType())) {
            throw mismatch(handler, place, "payload", payload, type.payloadType());
        }
        EnqueueOptions wanted = handled.defaults();
        EnqueueOptions given = type.defaults();
        if (!wanted.queue().equals(EnqueueOptions.DEFAULTS.queue())
                && !wanted.queue().equals(given.queue())) {
            throw mismatch(handler, place, "queue", wanted.queue(), given.queue());
        }
        if (wanted.maxAttempts() != EnqueueOptions.DEFAULTS.maxAttempts()
                && wanted.maxAttempts() != given.maxAttempts()) {
            throw mismatch(handler, place, "attempts", wanted.maxAttempts(), given.maxAttempts());
        }
    }

    private static IllegalStateException mismatch(
            FoundHandler handler, String place, String what, Object handled, Object enqueued) {
        return new IllegalStateException("kind '" + handler.type().kind() + "': " + handler.place() + " declares "
                + what + "=" + handled + ", but " + place + " declares " + what + "=" + enqueued
                + ": make them the same");
    }
}
