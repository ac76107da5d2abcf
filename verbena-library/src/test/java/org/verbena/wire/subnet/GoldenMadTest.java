package org.verbena.wire.subnet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.wire.mad.Mad;

/** The codecs read what OpenSM and ibsim wrote, and write it again. */
final class GoldenMadTest {
    private static final Map<Integer, Class<?>> CODECS = new HashMap<>(Map.of(
            NodeInfo.ATTRIBUTE, NodeInfo.class,
            SwitchInfo.ATTRIBUTE, SwitchInfo.class,
            PortInfo.ATTRIBUTE, PortInfo.class,
            ExtendedPortInfo.ATTRIBUTE, ExtendedPortInfo.class));

    @ParameterizedTest
    @ValueSource(strings = {"minhop", "qos", "mcast"})
    void everyDatagramIsWrittenAgainAsItWasRead(String name) throws IllegalAccessException {
        Set<Integer> attributes = new TreeSet<>();
        for (GoldenMad golden : GoldenMad.read(name)) {
            MemorySegment from = golden.segment();
            MemorySegment to = MemorySegment.ofArray(new byte[Mad.LENGTH]);
            if (golden.isSmp()) {
                attributes.add(golden.attribute());
                copyFields(Smp.class, from, to, 0);
                for (int hop = 0; hop <= Smp.HOPS_MAX; hop++) {
                    Smp.initialPort(to, 0, hop, Smp.initialPort(from, 0, hop));
                    Smp.returnPort(to, 0, hop, Smp.returnPort(from, 0, hop));
                }
                copyAttribute(golden.attribute(), from, to);
            } else {
                Mad.read(from, 0).write(to, 0);
                to.asSlice(Mad.HEADER_LENGTH).copyFrom(from.asSlice(Mad.HEADER_LENGTH));
            }
            assertArrayEquals(bytes(from), bytes(to), golden::toString);
        }
        assertTrue(attributes.size() >= 1);
    }

    @Test
    void theFilesHaveTheNumberOfDatagramsThatWereCaptured() {
        assertEquals(332, GoldenMad.read("minhop").size());
        assertEquals(636, GoldenMad.read("qos").size());
        assertEquals(84, GoldenMad.read("mcast").size());
    }

    @Test
    void noTwoFieldsOfAnAttributeOverlap() throws IllegalAccessException {
        for (Class<?> codec : List.of(
                Smp.class,
                NodeInfo.class,
                SwitchInfo.class,
                PortInfo.class,
                ManagerInfo.class,
                VendorDiag.class,
                LedInfo.class,
                ExtendedPortInfo.class,
                ClassPortInfo.class,
                CounterBlock.class,
                ExtendedCounterBlock.class)) {
            MemorySegment all = MemorySegment.ofArray(new byte[Mad.LENGTH]);
            for (Object field : fields(codec)) {
                MemorySegment one = MemorySegment.ofArray(new byte[Mad.LENGTH]);
                write(field, one, -1);
                for (int at = 0; at < Mad.LENGTH; at++) {
                    byte bits = one.get(ValueLayout.JAVA_BYTE, at);
                    assertEquals(0, all.get(ValueLayout.JAVA_BYTE, at) & bits, codec.getSimpleName() + " byte " + at);
                    all.set(ValueLayout.JAVA_BYTE, at, (byte) (all.get(ValueLayout.JAVA_BYTE, at) | bits));
                }
            }
        }
    }

    @Test
    void aFieldWritesOnlyItsBits() {
        MemorySegment all = MemorySegment.ofArray(new byte[] {-1, -1, -1, -1, -1, -1});
        Field.of(1, 4, 3).write(all, 0, 0);
        assertArrayEquals(new byte[] {-1, (byte) 0b1110_0011, -1, -1, -1, -1}, bytes(all));
        Field.of(2, 3, 20).write(all, 0, 0x12345);
        assertArrayEquals(new byte[] {-1, (byte) 0b1110_0011, (byte) 0xf1, 0x23, 0x45, -1}, bytes(all));
        assertEquals(0x12345, Field.of(2, 3, 20).read(all, 0));
        assertEquals(7, Field.of(1, 7, 3).read(all, 0));
    }

    @Test
    void aDescriptionLongerThanItsAttributeIsCut() {
        MemorySegment room = MemorySegment.ofArray(new byte[NodeDescription.LENGTH + 1]);
        NodeDescription.write(room, 0, "x".repeat(70));
        assertEquals("x".repeat(NodeDescription.LENGTH), NodeDescription.read(room, 0));
        assertEquals(0, room.get(ValueLayout.JAVA_BYTE, NodeDescription.LENGTH));
        NodeDescription.write(room, 0, "sw1");
        assertEquals("sw1", NodeDescription.read(room, 0));
    }

    private static void copyAttribute(int attribute, MemorySegment from, MemorySegment to)
            throws IllegalAccessException {
        long at = Smp.DATA;
        Class<?> codec = CODECS.get(attribute);
        if (codec != null) {
            copyFields(codec, from, to, at);
            return;
        }
        switch (attribute) {
            case NodeDescription.ATTRIBUTE -> NodeDescription.write(to, at, NodeDescription.read(from, at));
            case PartitionTable.ATTRIBUTE -> {
                for (int entry = 0; entry < PartitionTable.ENTRIES; entry++) {
                    PartitionTable.key(to, at, entry, PartitionTable.key(from, at, entry));
                }
            }
            case LaneMapping.ATTRIBUTE -> LaneMapping.write(to, at, LaneMapping.read(from, at));
            case ArbitrationTable.ATTRIBUTE -> {
                for (int entry = 0; entry < ArbitrationTable.ENTRIES; entry++) {
                    int lane = ArbitrationTable.lane(from, at, entry);
                    ArbitrationTable.entry(to, at, entry, lane, ArbitrationTable.weight(from, at, entry));
                }
            }
            case LinearBlock.ATTRIBUTE -> {
                for (int entry = 0; entry < LinearBlock.ENTRIES; entry++) {
                    LinearBlock.port(to, at, entry, LinearBlock.port(from, at, entry));
                }
            }
            case MulticastBlock.ATTRIBUTE -> {
                for (int entry = 0; entry < MulticastBlock.ENTRIES; entry++) {
                    MulticastBlock.ports(to, at, entry, MulticastBlock.ports(from, at, entry));
                }
            }
            default -> throw new AssertionError("no codec for attribute " + Integer.toHexString(attribute));
        }
    }

    private static void copyFields(Class<?> codec, MemorySegment from, MemorySegment to, long at)
            throws IllegalAccessException {
        for (Object field : fields(codec)) {
            if (field instanceof Field number) {
                number.write(to, at, number.read(from, at));
            } else {
                LongField number = (LongField) field;
                number.write(to, at, number.read(from, at));
            }
        }
    }

    private static void write(Object field, MemorySegment to, long value) {
        if (field instanceof Field number) {
            number.write(to, 0, (int) value);
        } else {
            ((LongField) field).write(to, 0, value);
        }
    }

    private static List<Object> fields(Class<?> codec) throws IllegalAccessException {
        List<java.lang.reflect.Field> constants = Stream.of(codec.getDeclaredFields())
                .filter(constant -> Modifier.isStatic(constant.getModifiers()))
                .filter(constant -> constant.getType() == Field.class || constant.getType() == LongField.class)
                .toList();
        assertTrue(!constants.isEmpty(), codec.getSimpleName());
        List<Object> fields = new java.util.ArrayList<>();
        for (java.lang.reflect.Field constant : constants) {
            fields.add(constant.get(null));
        }
        return fields;
    }

    private static byte[] bytes(MemorySegment segment) {
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }
}
